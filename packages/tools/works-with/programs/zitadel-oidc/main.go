// Runs the examples of zitadel/oidc: its relying party with a secret and PKCE and with a key, and its resource server
// with a secret and with a key file.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/pkg/client/rp"
	"github.com/zitadel/oidc/v3/pkg/client/rs"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

var (
	issuer = os.Getenv("BASE_URL")
	base   = "http://127.0.0.1:" + os.Getenv("PORT")
)

func main() {
	reportVersion("github.com/zitadel/oidc/v3")
	ctx := context.Background()
	key, err := newKey()
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)) }()

	withSecret := relyingPartySteps(ctx, "client_secret_basic", key)
	withKey := relyingPartySteps(ctx, "private_key_jwt", key)

	step("introspect (client_secret_basic)", func() error {
		registered, err := register(resourceServer())
		if err != nil {
			return err
		}
		server, err := rs.NewResourceServerClientCredentials(ctx, issuer, registered.ID, registered.Secret)
		if err != nil {
			return err
		}
		return introspect(ctx, server, withSecret, true)
	})
	step("introspect (key file, private_key_jwt)", func() error {
		server, err := keyFileServer(ctx, key)
		if err != nil {
			return err
		}
		return introspect(ctx, server, withKey, true)
	})
	step("revoke (client_secret_basic)", func() error { return revoke(ctx, withSecret) })
	step("revoke (private_key_jwt)", func() error { return revoke(ctx, withKey) })
	step("introspect a revoked token", func() error {
		server, err := keyFileServer(ctx, key)
		if err != nil {
			return err
		}
		return introspect(ctx, server, withKey, false)
	})
	step("logout", withSecret.logOut)
}

func resourceServer() map[string]any {
	return map[string]any{
		"client_name": "zitadel/oidc resource server",
		"grant_types": []string{"client_credentials"},
		"scope":       issuer + "/token/introspect",
	}
}

func keyFileServer(ctx context.Context, key keyPair) (rs.ResourceServer, error) {
	registered, err := register(key.with(resourceServer()))
	if err != nil {
		return nil, err
	}
	path, err := key.file(registered.ID)
	if err != nil {
		return nil, err
	}
	return rs.NewResourceServerFromKeyFile(ctx, issuer, path)
}

func introspect(ctx context.Context, server rs.ResourceServer, login *login, active bool) error {
	if login.tokens == nil {
		return errors.New("there was no login")
	}
	response, err := rs.Introspect[*oidc.IntrospectionResponse](ctx, server, login.tokens.AccessToken)
	if err == nil && response.Active != active {
		err = fmt.Errorf("active is %v", response.Active)
	}
	return err
}

func revoke(ctx context.Context, login *login) error {
	if login.tokens == nil {
		return errors.New("there was no login")
	}
	return rp.RevokeToken(ctx, login.party, login.tokens.AccessToken, "access_token")
}
