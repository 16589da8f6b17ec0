/** A job that this node holds: until its lease ends nobody else takes it. */
export interface Claim {
  readonly kind: string;
  readonly rowId: string;
  readonly share: string;
  /** Counts from 1, this run included. */
  readonly attempt: number;
  /** A save that names another token than the row's comes too late. */
  readonly token: string;
}
