package example;

import static example.Http.APP;
import static example.Http.BASE_URL;
import static example.Http.form;
import static example.Report.expect;
import static example.Report.step;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.htmlunit.Version;
import org.htmlunit.WebClient;
import org.htmlunit.html.HtmlElement;
import org.htmlunit.html.HtmlPage;

/**
 * Signs alice in to two apps and out again in HtmlUnit with its defaults, under which an error in a script is an
 * exception. The front-channel page of the first app confirms that it signed her out; that of the second does not.
 */
class Main {
  /** What the browser loaded to notify the apps. */
  static final SortedSet<String> NOTIFIED = new ConcurrentSkipListSet<>();
  static final SortedSet<String> BOTH = new ConcurrentSkipListSet<>(List.of("/first/logout", "/second/logout"));

  static Map<String, Object> first;
  static Map<String, Object> second;
  static HtmlPage page;

  public static void main(String[] args) throws Exception {
    Report.version(Version.getProductVersion());
    var server = openApps();
    try (var browser = new WebClient()) {
      first = register("first");
      second = register("second");

      step("login", () -> {
        signIn(browser, first);
        signIn(browser, second);
      });

      step("logout page with front-channel apps", () -> {
        page = browser.getPage(BASE_URL + "/logout");
        press("accept");
        browser.waitForBackgroundJavaScript(10_000);
        expect(BOTH, NOTIFIED);
        expect(List.of("first: confirmed", "second: notified"), states());
      });

      step("logout back to the app", () -> {
        NOTIFIED.clear();
        var idToken = signIn(browser, first);
        signIn(browser, second);
        page = browser.getPage(BASE_URL + "/logout?" + form(Map.of(
            "id_token_hint", idToken, "post_logout_redirect_uri", callback("first"), "state", "here")));
        press("accept");
        browser.waitForBackgroundJavaScript(20_000);
        expect(BOTH, NOTIFIED);
        expect(callback("first") + "?state=here", browser.getCurrentWindow().getEnclosedPage().getUrl().toString());
      });

      step("login page after the logout", () -> {
        page = browser.getPage(authorizationRequest(first));
        expect(true, page.querySelector("input[name=password]") != null);
      });
    } finally {
      server.stop(0);
    }
  }

  static HttpServer openApps() throws IOException {
    var server = HttpServer.create(new InetSocketAddress("localhost", Integer.parseInt(Http.PORT)), 0);
    server.createContext("/", exchange -> respond(exchange, "<p>Hello</p>"));
    server.createContext("/first/logout", exchange ->
        respond(exchange, "<script>parent.postMessage('logged out', '*')</script>"));
    server.start();
    return server;
  }

  static void respond(HttpExchange exchange, String content) throws IOException {
    var path = exchange.getRequestURI().getPath();
    if (path.endsWith("/logout")) NOTIFIED.add(path);
    var body = ("<!doctype html><title>App</title>" + content).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  static Map<String, Object> register(String app) throws Exception {
    return Http.register(Map.of(
        "client_name", app,
        "redirect_uris", List.of(callback(app)),
        "post_logout_redirect_uris", List.of(callback(app)),
        "frontchannel_logout_uri", APP + "/" + app + "/logout"));
  }

  static String callback(Object app) {
    return APP + "/" + app + "/callback";
  }

  static String authorizationRequest(Map<String, Object> client) {
    return BASE_URL + "/authorize?" + form(Map.of(
        "response_type", "code",
        "scope", "openid",
        "client_id", (String) client.get("client_id"),
        "redirect_uri", callback(client.get("client_name"))));
  }

  /** Signs in by the pages that the server shows, and gives the ID token. */
  static String signIn(WebClient browser, Map<String, Object> client) throws Exception {
    page = browser.getPage(authorizationRequest(client));
    if (page.querySelector("input[name=password]") != null) {
      for (var name : List.of("username", "password")) element("input[name=" + name + "]").type("alice");
      press("login");
    }
    if (page.querySelector("button[value=consent]") != null) press("consent");
    var code = page.getUrl().getQuery().replaceFirst(".*\\bcode=([^&]+).*", "$1");
    return (String) Http.token(client, Map.of(
        "grant_type", "authorization_code",
        "code", code,
        "redirect_uri", callback(client.get("client_name")))).get("id_token");
  }

  static void press(String decision) throws IOException {
    page = element("button[value=" + decision + "]").click();
  }

  static HtmlElement element(String selector) {
    return page.querySelector(selector);
  }

  /** What the page says of each app, by the class of its words. */
  static List<String> states() {
    return page.getElementById("clients").getElementsByTagName("li").stream()
        .map(item -> item.getFirstElementChild().getTextContent().trim() + ": "
            + item.getLastElementChild().getAttribute("class"))
        .sorted()
        .toList();
  }
}
