/** The `Server-Timing` header of these phases, in milliseconds. */
export function serverTiming(phases: Readonly<Record<string, number>>): string {
  return Object.entries(phases)
    .map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(1)}`)
    .join(", ");
}
