import type {
  Attachment,
  BaseInfo,
  OutFile,
  PlatformCapabilities,
  Row,
  RowSearch,
  RowsFound,
  TableInfo,
  TableScope,
  WriteMode,
} from "../../plugin-api/index.js";
import type { CallLimits } from "./call-limits.js";

export interface CellScope extends TableScope {
  recordId: string;
  fieldId: string;
}

/**
 * A platform with a connection's credentials. Each call is paced, timed, tried again where that is harmless, and its
 * result is checked. All reject with PlatenError, whose `cause` is the PlatformError when the platform refused:
 * `platformErrorOf` finds it.
 */
export interface OpenPlatform {
  readonly id: string;
  readonly title: string;
  readonly capabilities: PlatformCapabilities;
  check(limits?: CallLimits): Promise<{ account?: string; warnings: string[] }>;
  /** Null: this platform has no bases. */
  listBases(limits?: CallLimits): Promise<BaseInfo[] | null>;
  describe(baseId?: string, limits?: CallLimits): Promise<TableInfo[]>;
  /** Any number of ids, each once; rows come in their order. */
  fetchRows(
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
    limits?: CallLimits,
  ): Promise<RowsFound>;
  /** Ids of rows for a person to choose from; null: this platform cannot look for rows. */
  findRows(
    scope: TableScope,
    search: RowSearch,
    limits?: CallLimits,
  ): Promise<string[] | null>;
  /** One attempt: after a failure only `readAttachments` tells what the cell holds. */
  writeBack(
    cell: CellScope,
    files: readonly OutFile[],
    mode: WriteMode,
    limits?: CallLimits,
  ): Promise<Attachment[]>;
  /** Null: this platform cannot tell. */
  readAttachments(
    cell: CellScope,
    limits?: CallLimits,
  ): Promise<Attachment[] | null>;
  /** The plugin's own mapping; null: it leaves it to the host. */
  toRootData(row: Row, table: TableInfo): Record<string, unknown> | null;
}
