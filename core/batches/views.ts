// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** Times are ISO 8601. */
export interface BatchLine {
  id: string;
  status: "queued" | "running" | "completed";
  template: { id: string; name: string };
  totalCount: number;
  remaining: number;
  failed: number;
  /** Documents by what became of saving their files to the records. */
  writeBack: { pending: number; failed: number };
  /** The platform of the records; null when they were sent with the request. */
  platform: string | null;
  /** The file whose rows the records are; null for other batches. */
  fileName: string | null;
  createdBy: string;
  createdAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}
