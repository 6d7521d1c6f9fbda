package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"os"

	"github.com/go-jose/go-jose/v4"
)

// keyPair is a key with which clients authenticate.
type keyPair struct {
	id  string
	pem []byte
	set jose.JSONWebKeySet
}

func newKey() (keyPair, error) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return keyPair{}, err
	}
	public := jose.JSONWebKey{Key: private.Public(), KeyID: "key-1", Algorithm: "RS256", Use: "sig"}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)}
	return keyPair{
		id:  public.KeyID,
		pem: pem.EncodeToMemory(block),
		set: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{public}},
	}, nil
}

// with gives the metadata of a client that authenticates with this key.
func (key keyPair) with(metadata map[string]any) map[string]any {
	added := maps.Clone(metadata)
	added["token_endpoint_auth_method"] = "private_key_jwt"
	added["jwks"] = key.set
	return added
}

// file writes the key file of an application and gives its path.
func (key keyPair) file(clientID string) (string, error) {
	content, err := json.Marshal(map[string]string{
		"type": "application", "keyId": key.id, "key": string(key.pem), "clientId": clientID,
	})
	if err != nil {
		return "", err
	}
	path := clientID + ".json"
	return path, os.WriteFile(path, content, 0o600)
}
