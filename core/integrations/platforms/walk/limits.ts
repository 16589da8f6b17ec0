export interface WalkLimits {
  /** Links that are followed one after the other. */
  maxDepth: number;
  /** Rows that records which are fetched together may lead to; of a single record too. */
  maxRows: number;
  /** Objects in the data of one document, its root included. */
  maxObjects: number;
}

export const WALK_LIMITS: WalkLimits = {
  maxDepth: 8,
  maxRows: 50_000,
  maxObjects: 20_000,
};
