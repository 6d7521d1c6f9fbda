{{/*
Puts the values of every pod into a pod template. Writes nothing.
Context: a dict with root, the root context; template; digest and resources, values of this pod; and secret, the name of the
Secret in place of `vestibule`.
*/}}
{{- define "vestibule.pod" -}}
{{- $values := .root.Values -}}
{{- $pod := .template.spec -}}
{{- $container := first $pod.containers -}}
{{- $image := printf "%s/%s" $values.images.repository (trimPrefix "vestibule/" $container.image) -}}
{{- if .digest -}}
{{-   $image = printf "%s@%s" $image .digest -}}
{{- else if $values.images.tag -}}
{{-   $image = printf "%s:%s" $image $values.images.tag -}}
{{- end -}}
{{- $_ := set $container "image" $image -}}
{{- $_ := set $container "resources" .resources -}}
{{- if $values.images.pullPolicy -}}
{{-   $_ := set $container "imagePullPolicy" $values.images.pullPolicy -}}
{{- end -}}
{{- $pullSecrets := list -}}
{{- range $values.images.pullSecrets -}}
{{-   $pullSecrets = append $pullSecrets (dict "name" .) -}}
{{- end -}}
{{- if $pullSecrets -}}
{{-   $_ := set $pod "imagePullSecrets" $pullSecrets -}}
{{- end -}}
{{- $secrets := dict
      "vestibule" .secret
      "forward-auth" $values.secrets.forwardAuth
      "upstream-login" $values.secrets.upstreamLogin -}}
{{- range $pod.volumes -}}
{{-   if .secret -}}
{{-     $_ := set .secret "secretName" (get $secrets .secret.secretName | required "a manifest names an unknown Secret") -}}
{{-   end -}}
{{- end -}}
{{- if $values.nodeSelector -}}
{{-   $_ := set $pod "nodeSelector" $values.nodeSelector -}}
{{- end -}}
{{- if $values.tolerations -}}
{{-   $_ := set $pod "tolerations" $values.tolerations -}}
{{- end -}}
{{- end -}}

{{/*
Puts the values of a service into its Deployment. Writes nothing.
Context: a dict with root, the root context; service, its values; and deployment.
*/}}
{{- define "vestibule.deployment" -}}
{{- $service := .service -}}
{{- $spec := .deployment.spec -}}
{{- $template := $spec.template -}}
{{- include "vestibule.pod" (dict
      "root" .root
      "template" $template
      "digest" $service.digest
      "resources" $service.resources
      "secret" .root.Values.secrets.services) -}}
{{- /* A Deployment without replicas in its manifest is scaled by its load. */ -}}
{{- if or (hasKey $spec "replicas") (not $service.autoscaling.enabled) -}}
{{-   $_ := set $spec "replicas" $service.replicas -}}
{{- end -}}
{{- $container := first $template.spec.containers -}}
{{- $environment := list -}}
{{- range $container.env -}}
{{-   if not (hasKey $service.settings .name) -}}
{{-     $environment = append $environment . -}}
{{-   end -}}
{{- end -}}
{{- range $name, $value := $service.settings -}}
{{-   $environment = append $environment (dict "name" $name "value" $value) -}}
{{- end -}}
{{- $_ := set $container "env" $environment -}}
{{- /* The first volume of every Deployment is its Secret. */ -}}
{{- $files := (first $template.spec.volumes).secret -}}
{{- range $service.secretFiles -}}
{{-   $_ := set $files "items" (append $files.items (dict "key" . "path" .)) -}}
{{- end -}}
{{- range $template.spec.volumes -}}
{{-   if .configMap -}}
{{-     $_ := set .configMap "name" $service.routesConfigMap -}}
{{-   end -}}
{{- end -}}
{{- /* Pods read their settings when they start, so changed settings replace the pods. */ -}}
{{- $checksum := include "vestibule.settings" .root | sha256sum -}}
{{- $_ := set $template.metadata "annotations" (dict "checksum/settings" $checksum) -}}
{{- end -}}
