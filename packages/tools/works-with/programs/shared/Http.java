package example;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Requests beside those of the library: to the browser service and, where the library has none, to the stack. */
final class Http {
  static final String BASE_URL = System.getenv("BASE_URL");
  static final String MASTER_TOKEN = System.getenv("MASTER_TOKEN");
  static final String PORT = System.getenv("PORT");
  static final String APP = "http://localhost:" + PORT;
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Http() {}

  /** Opens an address in the browser, where alice logs in, and gives the {@code url} and {@code text} of the end. */
  static Map<String, Object> visit(String address) throws Exception {
    var visit = Map.<String, Object>of("url", address, "user", "alice");
    return json(HttpRequest.newBuilder(URI.create(System.getenv("BROWSER_URL") + "/visit"))
        .POST(BodyPublishers.ofString(JSONObjectUtils.toJSONString(visit))));
  }

  static Map<String, Object> register(Map<String, Object> metadata) throws Exception {
    return json(HttpRequest.newBuilder(URI.create(BASE_URL + "/clients"))
        .header("Authorization", "Bearer " + MASTER_TOKEN)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(JSONObjectUtils.toJSONString(metadata))));
  }

  /** The token response for a client, which authenticates by the method that is the default of registrations. */
  static Map<String, Object> token(Map<String, Object> client, Map<String, String> parameters) throws Exception {
    var credentials = (client.get("client_id") + ":" + client.get("client_secret")).getBytes(StandardCharsets.UTF_8);
    return json(HttpRequest.newBuilder(URI.create(BASE_URL + "/token"))
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form(parameters))));
  }

  static String form(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static Map<String, Object> json(HttpRequest.Builder request) throws Exception {
    var response = CLIENT.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 400) throw new IllegalStateException(response.statusCode() + " " + response.body());
    return JSONObjectUtils.parse(response.body());
  }
}
