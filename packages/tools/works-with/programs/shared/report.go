package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
)

// step runs one step and reports it.
func step(name string, run func() error) {
	line := map[string]any{"step": name, "worked": true}
	if err := run(); err != nil {
		line["worked"] = false
		line["note"] = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(line)
}

// reportVersion reports the version of a module that this program is built with.
func reportVersion(module string) {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			_ = json.NewEncoder(os.Stdout).Encode(map[string]string{"version": dependency.Version})
		}
	}
}
