/** The highest well-known port. */
const LAST_WELL_KNOWN_PORT = 1023;

/**
 * Higher ports that serve no documents: those that browsers block (WHATWG Fetch, section "Port blocking") and those of
 * databases, queues, remote desktops and cluster control.
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190,
  4369, 5060, 5061, 5432, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 8883, 9042, 9092, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 16379, 26379, 27017,
  27018, 27019,
]);

/**
 * Whether requests to this TCP port are refused: well-known ports other than 443, and ports of other known services.
 */
export function isRefusedPort(port: number): boolean {
  if (port === 443) return false;
  return port <= LAST_WELL_KNOWN_PORT || REFUSED_PORTS.has(port);
}
