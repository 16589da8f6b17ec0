import type {
  DataCollection,
  Json,
} from "../../../../../../core/plugin-api/definition.js";

export interface RecordFormProps {
  collection: DataCollection;
  value: Json;
  /** The collections around it, so that a circle of links ends. */
  trail: readonly string[];
  onChange: (value: Json) => void;
}

export interface EntryListProps {
  collection: DataCollection;
  label: string;
  entries: readonly Json[];
  trail: readonly string[];
  onChange: (entries: Json[]) => void;
}
