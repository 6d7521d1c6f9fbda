{{/*
The data of the ConfigMap with the settings of all services, as YAML.
Context: the root context.
*/}}
{{- define "vestibule.settings" -}}
{{- $data := merge (dict "BASE_URL" .Values.baseUrl) .Values.settings -}}
{{- if .Values.upstreamLogin.issuer -}}
{{-   $_ := set $data "UPSTREAM_ISSUER" .Values.upstreamLogin.issuer -}}
{{-   $_ := set $data "UPSTREAM_CLIENT_ID" .Values.upstreamLogin.clientId -}}
{{-   $_ := set $data "UPSTREAM_CLIENT_SECRET_FILE" "/run/upstream/client-secret" -}}
{{- end -}}
{{- toYaml $data -}}
{{- end -}}
