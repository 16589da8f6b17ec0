/** Why this version of Node cannot run Platen, as one line for people; null when it can. Loaded by versions that cannot. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major >= 24 || (major === 22 && minor >= 13);
  if (isSupported) return null;
  const advice =
    major === 23
      ? "Node 23 has reached its end of life. Install Node 24 from https://nodejs.org."
      : "install Node 24 from https://nodejs.org.";
  return `platen needs Node 22.13 or newer, but this is Node ${version}: ${advice}`;
}
