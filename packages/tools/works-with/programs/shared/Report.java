package example;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reports the version of a library and what worked. Everything else that is printed goes to standard error. */
final class Report {
  interface Work {
    void run() throws Exception;
  }

  private static final PrintStream OUT = System.out;

  private Report() {}

  static void version(String version) {
    System.setOut(System.err);
    write(Map.of("version", version));
  }

  /** Does a step and reports it. */
  static void step(String name, Work work) {
    var line = new LinkedHashMap<String, Object>(Map.of("step", name));
    try {
      work.run();
      line.put("worked", true);
    } catch (Exception e) {
      e.printStackTrace();
      line.put("worked", false);
      line.put("note", String.valueOf(e.getMessage()));
    }
    write(line);
  }

  static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) throw new IllegalStateException("expected " + expected + ", got " + actual);
  }

  private static void write(Map<String, Object> line) {
    OUT.println(JSONObjectUtils.toJSONString(line));
  }
}
