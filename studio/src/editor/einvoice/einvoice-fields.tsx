import { EINVOICE_PROFILES } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { lazy } from "../../ui/loading.js";
import { Group } from "../inspector/fields.js";
import { useEditor } from "../model/editor-context.js";
import { ProfileField } from "./profile-field.js";

const EinvoiceDialog = lazy(
  () => import("./einvoice-dialog.js"),
  (module) => module.EinvoiceDialog,
);

export function EinvoiceFields() {
  const editor = useEditor();
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
          <Button dialog={(close) => <EinvoiceDialog onClose={close} />}>
            {t("einvoice.open")}
          </Button>
        </>
      )}
    </Group>
  );
}
