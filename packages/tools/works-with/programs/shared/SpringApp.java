package example;

import static org.springframework.security.config.Customizer.withDefaults;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.NimbusJwtClientAuthenticationParametersConverter;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The applications of the reference of Spring Security: one that logs people in, and resource servers. Each is a
 * profile of application.yml, which has the properties.
 */
@SpringBootApplication
public class SpringApp {
  @Configuration
  @Profile("login")
  static class Login {
    @Bean
    SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository registrations) throws Exception {
      var atProvider = new OidcClientInitiatedLogoutSuccessHandler(registrations);
      atProvider.setPostLogoutRedirectUri("{baseUrl}");
      return http
          .authorizeHttpRequests(requests -> requests
              .requestMatchers("/", "/machine").permitAll()
              .anyRequest().authenticated())
          .oauth2Login(withDefaults())
          .oauth2Client(withDefaults())
          .logout(logout -> logout.logoutSuccessHandler(atProvider))
          .oidcLogout(logout -> logout.backChannel(withDefaults()))
          .build();
    }

    @Bean
    OAuth2AccessTokenResponseClient<OAuth2ClientCredentialsGrantRequest> clientCredentials(
        @Value("${machine-key}") String machineKey) throws ParseException {
      JWK key = RSAKey.parse(machineKey);
      Function<ClientRegistration, JWK> keys = registration -> key;
      var client = new RestClientClientCredentialsTokenResponseClient();
      client.addParametersConverter(new NimbusJwtClientAuthenticationParametersConverter<>(keys));
      return client;
    }

    @RestController
    static class Pages {
      @GetMapping("/")
      String home(@AuthenticationPrincipal OidcUser user) {
        return user == null ? "Nobody is signed in" : user.getSubject() + " is signed in";
      }

      @GetMapping("/email")
      String email(@AuthenticationPrincipal OidcUser user) {
        return user.getUserInfo().getEmail();
      }

      @GetMapping("/machine")
      String machine(@RegisteredOAuth2AuthorizedClient("machine") OAuth2AuthorizedClient client) {
        return client.getClientRegistration().getAuthorizationGrantType().getValue();
      }

      @ExceptionHandler
      String refused(OAuth2AuthorizationException e) {
        return e.getMessage();
      }

      @GetMapping(path = "/sign-out", produces = "text/html")
      String signOut(CsrfToken csrf) {
        return """
            <form method="post" action="/logout"><input type="hidden" name="%s" value="%s"></form>
            <script>document.forms[0].submit()</script>
            """.formatted(csrf.getParameterName(), csrf.getToken());
      }
    }
  }

  @RestController
  @Profile("!login")
  static class Api {
    @GetMapping("/api")
    String api() {
      return "Hello";
    }
  }
}
