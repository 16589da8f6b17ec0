/** What every render goes through; what a format did not need took no time. */
const always = { queue: 0, compile: 0, merge: 0, print: 0, store: 0 };

/** The `Server-Timing` header of these phases, in milliseconds. */
export function serverTiming(phases: Readonly<Record<string, number>>): string {
  return Object.entries({ ...always, ...phases })
    .map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(1)}`)
    .join(", ");
}
