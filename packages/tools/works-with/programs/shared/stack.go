package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// client is what the registration endpoint answers.
type client struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

// page is where the browser ended.
type page struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	Text   string `json:"text"`
}

// register registers a client with the master token: the library has no registration of its own.
func register(metadata map[string]any) (client, error) {
	var registered client
	err := post(os.Getenv("BASE_URL")+"/clients", os.Getenv("MASTER_TOKEN"), metadata, &registered)
	return registered, err
}

// visit opens an address in the browser, which logs in, consents and confirms.
func visit(url string) (page, error) {
	var ended page
	err := post(os.Getenv("BROWSER_URL")+"/visit", "", map[string]string{"url": url, "session": "one"}, &ended)
	return ended, err
}

func post(url, token string, body, result any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %d %s", url, response.StatusCode, text)
	}
	return json.Unmarshal(text, result)
}
