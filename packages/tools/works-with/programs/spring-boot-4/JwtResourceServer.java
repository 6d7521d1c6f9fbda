package example;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** A resource server for JWT access tokens of RFC 9068, whose {@code typ} is {@code at+jwt}. */
@Configuration
@Profile("jwt")
class JwtResourceServer {
  @Bean
  JwtDecoder jwtDecoder(@Value("${BASE_URL}") String issuer, @Value("${client-id}") String clientId) {
    var decoder = NimbusJwtDecoder.withIssuerLocation(issuer).validateType(false).build();
    decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
        .issuer(issuer)
        .audience(clientId)
        .clientId(clientId)
        .build());
    return decoder;
  }
}
