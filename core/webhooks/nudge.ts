/** Who makes deliveries of recorded events. */
export interface EventNudge {
  /**
   * To be called after the commit of a transaction that recorded events: they go out at once, instead of within a
   * second. Costs nothing, never throws, and does nothing in a process that makes no deliveries.
   */
  nudge(): void;
}
