{{/*
Puts the values of every pod into a pod template. Writes nothing.
Context: a dict with root, the root context; template; digest and resources, values of this pod; and secret, the name of the
Secret in place of `vestibule`.
*/}}
{{- define "vestibule.pod" -}}
{{- $values := .root.Values -}}
{{- $pod := .template.spec -}}
{{- $digest := .digest -}}
{{- $resources := .resources -}}
{{- range concat ($pod.initContainers | default list) $pod.containers -}}
{{-   $image := printf "%s/%s" $values.images.repository (trimPrefix "vestibule/" .image) -}}
{{-   if $digest -}}
{{-     $image = printf "%s@%s" $image $digest -}}
{{-   else if $values.images.tag -}}
{{-     $image = printf "%s:%s" $image $values.images.tag -}}
{{-   end -}}
{{-   $_ := set . "image" $image -}}
{{-   $_ := set . "resources" $resources -}}
{{-   if $values.images.pullPolicy -}}
{{-     $_ := set . "imagePullPolicy" $values.images.pullPolicy -}}
{{-   end -}}
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
Gives a pod the settings and secret files of a service. Writes nothing.
Context: a dict with service, its values; and pod.
*/}}
{{- define "vestibule.own" -}}
{{- $service := .service -}}
{{- range concat (.pod.initContainers | default list) .pod.containers -}}
{{-   $environment := list -}}
{{-   $others := $service.settings -}}
{{-   range .env -}}
{{-     if hasKey $service.settings .name -}}
{{-       $_ := set . "value" (get $service.settings .name) -}}
{{-     end -}}
{{-     $environment = append $environment . -}}
{{-     $others = omit $others .name -}}
{{-   end -}}
{{-   range $name, $value := $others -}}
{{-     $environment = append $environment (dict "name" $name "value" $value) -}}
{{-   end -}}
{{-   $_ := set . "env" $environment -}}
{{- end -}}
{{- /* The first volume of every pod is its Secret. */ -}}
{{- $files := (first .pod.volumes).secret -}}
{{- range $service.secretFiles -}}
{{-   $_ := set $files "items" (append $files.items (dict "key" . "path" .)) -}}
{{- end -}}
{{- end -}}

{{/*
The values of the console, as YAML, with its URL as a setting. The settings of registration, federation and introspection hold
in it too, because it carries out their operations, and how long the keys of the provider may be cached.
Context: the root context.
*/}}
{{- define "vestibule.console" -}}
{{- $services := .Values.services -}}
{{- $service := $services.console -}}
{{- $settings := merge
      (dict "CONSOLE_URL" $service.url)
      $service.settings
      $services.federation.settings
      $services.registration.settings
      $services.introspection.settings
      (pick $services.authorization.settings "KEY_SET_MAX_AGE_SECONDS") -}}
{{- $files := concat
      $service.secretFiles
      $services.federation.secretFiles
      $services.registration.secretFiles
      $services.introspection.secretFiles -}}
{{- toYaml (merge (dict "settings" $settings "secretFiles" (uniq $files)) $service) -}}
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
{{- include "vestibule.own" (dict "service" $service "pod" $template.spec) -}}
{{- range $template.spec.volumes -}}
{{-   if .configMap -}}
{{-     $_ := set .configMap "name" $service.routesConfigMap -}}
{{-   end -}}
{{- end -}}
{{- /* Pods read their settings when they start, so changed settings replace the pods. */ -}}
{{- $checksum := include "vestibule.settings" .root | sha256sum -}}
{{- $_ := set $template.metadata "annotations" (dict "checksum/settings" $checksum) -}}
{{- end -}}
