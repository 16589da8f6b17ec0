import type { DesignEmail } from "../../plugin-api/index.js";

/** What the parts around an email's content measure where its definition says nothing. */
export const EMAIL_FRAME = {
  width: 600,
  ground: 60,
  sectionPadding: "24px 0 12px",
  inset: { sides: 24, bottom: 12 },
  heroPadding: "64px 0",
  heroShare: 0.4,
} as const satisfies Omit<DesignEmail, "networks">;

const { sides, bottom } = EMAIL_FRAME.inset;

/** The padding of content in columns that have none themselves. */
export const INSET = `0 ${sides}px ${bottom}px`;
