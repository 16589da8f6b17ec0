/** What an organization may have booked, the smallest first. */
export const PLANS = ["free", "pro", "premium", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];
