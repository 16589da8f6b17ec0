import { useState } from "preact/hooks";
import type {
  BlueprintCard,
  TemplateCard,
} from "../../../core/templates/views.js";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { ask, askPublic, wordsOf } from "../api.js";
import { agoOf } from "../format.js";
import { type ListPage, loadBlueprints, useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { Button } from "../ui/button.js";
import { useAction, SearchField } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { StepContent, OptionButton, StepActions } from "./components.js";
import { type Choice, proceed, getTableQuery, loadTable } from "./steps.js";
import { t } from "../messages/index.js";

function use(template: string): void {
  proceed("fields", { template });
}

export function TemplateStep({ choice }: { choice: Choice }) {
  const at = getTableQuery(choice);
  const table = useResource(at, () => loadTable(choice));
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={table}
        what={t("fields.couldntLoadTable")}
        fixStep="table"
        choice={choice}
      >
        {({ name }) => <FromTable name={name} choice={choice} />}
      </StepContent>
      <OwnTemplates chosen={choice.template} />
      <BlueprintPicks />
      <StepActions step="template" choice={choice} />
    </div>
  );
}

/** Creates a template with all fields of the table. */
function FromTable({ name, choice }: { name: string; choice: Choice }) {
  const { isBusy, fault, run } = useAction(async () => {
    const isHere = whereNow();
    const at = `wizard/draft?${getTableQuery(choice)}`;
    const { definition } = await ask<{ definition: ProjectData }>(at);
    const order = { name, definition };
    const made = await askPublic<{ id: string }>("templates", "POST", order);
    if (isHere()) use(made.id);
  });
  return (
    <section class="card padded from-table" aria-labelledby="from-table">
      <div class="picture">
        <Icon name="table" size={26} />
      </div>
      <div class="stack close">
        <h2 id="from-table">{t("wizard.createOneFromName", { name })}</h2>
        <p class="muted">{t("wizard.fromTableHelp")}</p>
        {fault !== null && <Notice tone="bad" title={fault} />}
        <div class="from-table-end">
          <Button kind="primary" isBusy={isBusy} onPress={run}>
            {t("wizard.createTemplateFromTable")}
          </Button>
        </div>
      </div>
    </section>
  );
}

const maxShown = 6;

/** Most recently changed first. */
function OwnTemplates({ chosen }: { chosen: string }) {
  const [search, setSearch] = useState("");
  const templates = useResource(search, () => read(search));
  const { data, isCurrent, fault, reload } = templates;
  const isEmpty = isCurrent && data?.total === 0;
  if (isEmpty && search === "") return null;
  return (
    <section class="stack close" aria-labelledby="own-templates">
      <h2 id="own-templates">{t("wizard.useOneOfYourTemplates")}</h2>
      <SearchField
        words={t("wizard.searchTemplatesByName")}
        value={search}
        onSearch={setSearch}
      />
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("templates.couldntLoadTemplates")}
        count={2}
      />
      {isEmpty && (
        <p class="muted small">{t("wizard.noMatchesForSearch", { search })}</p>
      )}
      {data && <Found {...data} chosen={chosen} />}
    </section>
  );
}

function Found({ data, total, chosen }: Templates & { chosen: string }) {
  if (total === 0) return null;
  return (
    <>
      <ul class="card picks">
        {data.slice(0, maxShown).map((template) => (
          <li key={template.id}>
            <OptionButton
              title={template.name}
              isChosen={template.id === chosen}
              badge={
                template.hasUnpublishedChanges && (
                  <span class="badge">{t("templates.unpublishedChanges")}</span>
                )
              }
              onPick={() => use(template.id)}
            >
              <span class="muted small">
                {template.templateType === "email"
                  ? t("wizard.emailChanged", { ago: agoOf(template.updatedAt) })
                  : t("wizard.documentChanged", {
                      ago: agoOf(template.updatedAt),
                    })}
              </span>
            </OptionButton>
          </li>
        ))}
      </ul>
      {total > maxShown && (
        <p class="muted small">
          {t("wizard.shownOfTotal", { maxShown, total })}
        </p>
      )}
    </>
  );
}

type Templates = ListPage<TemplateCard>;

function read(q: string): Promise<Templates> {
  const query = new URLSearchParams({ q, show: "recent", page: "1" });
  return ask(`templates?${query.toString()}`);
}

/** The built-in examples; choosing one creates a copy. */
function BlueprintPicks() {
  const [isBusy, setBusy] = useState(false);
  const { data } = useResource("blueprints", loadBlueprints);
  if (!data) return null;
  const copy = async ({ id, name }: BlueprintCard) => {
    if (isBusy) return;
    setBusy(true);
    const isHere = whereNow();
    try {
      const order = { name, blueprint: id };
      const made = await askPublic<{ id: string }>("templates", "POST", order);
      if (isHere()) use(made.id);
    } catch (error) {
      toast(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <details class="aside">
      <summary>{t("wizard.startFromExample")}</summary>
      <ul class="card picks">
        {data.map((blueprint) => (
          <li key={blueprint.id}>
            <OptionButton
              title={blueprint.name}
              onPick={() => void copy(blueprint)}
            >
              <span class="muted small">{blueprint.description}</span>
            </OptionButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
