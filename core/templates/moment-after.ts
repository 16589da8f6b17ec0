/** Each change has a moment of its own, also within a millisecond: `updatedAt` names the state that it left. */
export function momentAfter(previous: Date): Date {
  return new Date(Math.max(Date.now(), previous.getTime() + 1));
}
