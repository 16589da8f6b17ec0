import { useState } from "preact/hooks";
import {
  EINVOICE_PROFILE_NAMES,
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { lazy } from "../../ui/loading.js";
import { Group, SelectField } from "../inspector/fields.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { guessMap } from "./guess-map.js";

const EinvoiceDialog = lazy(
  () => import("./einvoice-dialog.js"),
  (module) => module.EinvoiceDialog,
);

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

/** The profile of the template's e-invoice, and the dialog that assigns its fields. */
export function EinvoiceFields() {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const { einvoice } = editor.definition.value;
  const problems = editor.facts.value?.einvoiceProblems ?? null;
  return (
    <Group title={t("einvoice.title")} isFolded={einvoice === undefined}>
      <ProfileField />
      {einvoice && (
        <>
          <p class="prop-hint">
            {EINVOICE_PROFILES[einvoice.profile].facturX === null
              ? t("einvoice.separate")
              : t("einvoice.embedded")}
          </p>
          {problems !== null && problems.length > 0 && (
            <p class="einvoice-state" data-tone="bad">
              {t("einvoice.broken", { count: problems.length })}
            </p>
          )}
          <Button onPress={() => setOpen(true)}>{t("einvoice.open")}</Button>
        </>
      )}
      {isOpen && einvoice && <EinvoiceDialog onClose={() => setOpen(false)} />}
    </Group>
  );
}

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
