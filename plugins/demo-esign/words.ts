/** Stands on everything that this provider makes. */
export const demoMark = "DEMO, not legally binding";
