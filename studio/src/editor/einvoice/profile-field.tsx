import {
  EINVOICE_PROFILE_NAMES,
  type EinvoiceProfile,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { SelectField } from "../inspector/fields.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { guessMap } from "./guess-map.js";

const PROFILES: Readonly<Record<EinvoiceProfile, string>> = {
  "factur-x-minimum": "Factur-X Minimum",
  "factur-x-basic-wl": "Factur-X Basic WL",
  "factur-x-basic": "Factur-X Basic",
  "factur-x-en16931": "Factur-X EN 16931 (ZUGFeRD)",
  "factur-x-extended": "Factur-X Extended",
  "xrechnung-cii": "XRechnung (CII)",
  "xrechnung-ubl": "XRechnung (UBL)",
  "peppol-bis-3": "Peppol BIS Billing 3",
};

export function ProfileField() {
  const editor = useEditor();
  const { einvoice } = editor.definition.value;
  return (
    <SelectField
      label={t("einvoice.profile")}
      value={einvoice?.profile}
      none={t("einvoice.none")}
      options={EINVOICE_PROFILE_NAMES.map(
        (name) => [name, PROFILES[name]] as const,
      )}
      onChange={(profile) => setProfile(editor, profile)}
    />
  );
}

/** A new e-invoice begins with what the schema's names suggest. */
function setProfile(
  editor: Editor,
  profile: EinvoiceProfile | undefined,
): void {
  editor.change(
    t("einvoice.change"),
    (draft) => {
      if (profile === undefined) delete draft.einvoice;
      else if (draft.einvoice) draft.einvoice.profile = profile;
      else draft.einvoice = { profile, map: guessMap(draft.schema) };
    },
    "einvoice.profile",
  );
}
