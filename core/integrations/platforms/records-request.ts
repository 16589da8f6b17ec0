import type { Format, Plan } from "../../plugin-api/index.js";

/** A batch of a platform's records, as a key or a link asks for it. */
export interface RecordsRequest {
  organizationId: string;
  createdById: string;
  plan: Plan;
  /** The id of its plugin. */
  platform: string;
  templateId: string;
  /** A snapshot's number; without it, the newest. */
  templateVersion?: number | undefined;
  /** At least one, each once. */
  recordIds: readonly string[];
  /** Default: the template's. */
  baseId?: string | undefined;
  /** Default: the template's. */
  tableId?: string | undefined;
  /** Default: the template's, or else the only one of the platform. */
  connectionId?: string | undefined;
  /** Default: pdf. */
  formats?: readonly Format[] | undefined;
  /** See `BatchOrder`. */
  sendForSignature?: boolean | undefined;
  esignConnection?: string | undefined;
  /** Where the files go, by id or name; without it, they go nowhere. */
  attachmentField?: string | undefined;
  /** Whether the cell holds nothing else afterwards; default: the files are added. */
  overwriteExisting?: boolean | undefined;
}

/** All that is asked but for the records themselves. */
export type DestinationRequest = Omit<RecordsRequest, "recordIds">;
