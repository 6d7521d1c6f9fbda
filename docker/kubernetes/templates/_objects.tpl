{{/*
The objects of a manifest file, as a YAML array.
Context: a dict with root, the root context, and file, the path of the manifest in the chart.
*/}}
{{- define "vestibule.objects" -}}
{{- $text := required (printf "the chart has no file %s" .file) (.root.Files.Get .file) -}}
{{- $objects := list -}}
{{- range splitList "\n---\n" $text -}}
{{-   $objects = append $objects (fromYaml .) -}}
{{- end -}}
{{- toYaml $objects -}}
{{- end -}}

{{/*
An object as a YAML document, in the namespace of the release and with the labels of Helm. Selectors and pods keep their labels.
Context: a dict with root, the root context, and object.
*/}}
{{- define "vestibule.document" -}}
{{- $metadata := .object.metadata -}}
{{- $labels := dict
      "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_")
      "app.kubernetes.io/instance" .root.Release.Name
      "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $metadata "namespace" .root.Release.Namespace -}}
{{- $_ := set $metadata "labels" (merge $labels ($metadata.labels | default dict)) -}}
---
{{ toYaml .object }}
{{ end -}}
