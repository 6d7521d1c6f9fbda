{{/*
Names the namespaces of the values in a network policy, in place of those in the manifests. Writes nothing.
Context: a dict with root, the root context, and policy.
*/}}
{{- define "vestibule.namespaces" -}}
{{- $values := .root.Values -}}
{{- $namespaces := dict
      "ingress-nginx" $values.networkPolicies.gatewayNamespace
      "monitoring" $values.networkPolicies.monitoringNamespace -}}
{{- $spec := .policy.spec -}}
{{- range concat ($spec.ingress | default list) ($spec.egress | default list) -}}
{{-   range concat (.from | default list) (.to | default list) -}}
{{-     if .namespaceSelector -}}
{{-       $labels := .namespaceSelector.matchLabels -}}
{{-       $name := get $labels "kubernetes.io/metadata.name" -}}
{{-       $_ := set $labels "kubernetes.io/metadata.name" (get $namespaces $name | default $name) -}}
{{-     end -}}
{{-   end -}}
{{- end -}}
{{- end -}}

{{/*
Replaces the peers of the only rule of an egress policy by addresses with a port. Writes nothing.
Context: a dict with policy, addresses and port.
*/}}
{{- define "vestibule.addresses" -}}
{{- $peers := list -}}
{{- range .addresses -}}
{{-   $peers = append $peers (dict "ipBlock" (dict "cidr" .)) -}}
{{- end -}}
{{- $_ := set .policy.spec "egress" (list (dict "to" $peers "ports" (list (dict "port" .port)))) -}}
{{- end -}}

{{/*
Replaces the peers of the only rule of an ingress policy by namespaces. Writes nothing.
Context: a dict with policy and namespaces.
*/}}
{{- define "vestibule.from" -}}
{{- $peers := list -}}
{{- range .namespaces -}}
{{-   $labels := dict "kubernetes.io/metadata.name" . -}}
{{-   $peers = append $peers (dict "namespaceSelector" (dict "matchLabels" $labels)) -}}
{{- end -}}
{{- $rule := first .policy.spec.ingress -}}
{{- $_ := set $rule "from" $peers -}}
{{- end -}}

{{/*
The pods that are installed, as a YAML array of their names.
Context: the root context.
*/}}
{{- define "vestibule.installed" -}}
{{- $names := list -}}
{{- range $name, $service := .Values.services -}}
{{-   if $service.enabled -}}
{{-     $names = append $names $name -}}
{{-   end -}}
{{- end -}}
{{- if .Values.migration.enabled -}}
{{-   $names = append $names "migrate" -}}
{{- end -}}
{{- if .Values.apply.enabled -}}
{{-   $names = append $names "apply" -}}
{{- end -}}
{{- toYaml $names -}}
{{- end -}}
