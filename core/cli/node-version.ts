/**
 * Why this version of Node cannot run Platen, as one line for people; null when it can. 22.14 is the first with the
 * Node-API that the SQLite driver needs: 22.13 crashes. Loaded by versions that cannot run Platen.
 */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major >= 24 || (major === 22 && minor >= 14);
  if (isSupported) return null;
  const advice =
    major === 23
      ? "Node 23 has reached its end of life. Install Node 24 from https://nodejs.org."
      : "install Node 24 from https://nodejs.org.";
  return `platen needs Node 22.14 or newer, but this is Node ${version}: ${advice}`;
}
