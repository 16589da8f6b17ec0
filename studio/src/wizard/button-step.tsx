import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../core/integrations/platforms/views.js";
import { askPublic, type Schemas } from "../api.js";
import { useResource } from "../resource.js";
import { Link, whereNow } from "../router.js";
import { Button } from "../ui/button.js";
import { askFirst, copyText } from "../ui/dialog.js";
import { Form, InputField, useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import {
  FocusedHeading,
  StepContent,
  ChoiceRejected,
  StepActions,
  TableSketch,
} from "./components.js";
import { noRecords, RecordsField, toRecords } from "./records-field.js";
import {
  getStepPath,
  type Choice,
  keep,
  loadTable,
  getRecordsRequest,
} from "./steps.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

interface Opened {
  table: OpenedTable;
  template: { name: string };
}

async function open(choice: Choice): Promise<Opened> {
  const [table, template] = await Promise.all([
    loadTable(choice),
    askPublic<{ name: string }>(`templates/${choice.template}`),
  ]);
  return { table, template };
}

export function ButtonStep({ choice }: { choice: Choice }) {
  const key = `${choice.table} ${choice.template}`;
  const opened = useResource(key, () => open(choice));
  const isMade = choice.link !== "";
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={opened}
        what={t("fields.couldntLoadTable")}
        fixStep="table"
        choice={choice}
      >
        {(data) =>
          isMade ? (
            <ButtonMade table={data.table} choice={choice} key={choice.link} />
          ) : (
            <NewButton {...data} choice={choice} />
          )
        }
      </StepContent>
      {!(isMade && opened.data) && (
        <StepActions step="button" choice={choice} />
      )}
    </div>
  );
}

interface NewButtonProps extends Opened {
  choice: Choice;
}

function NewButton({ table, template, choice }: NewButtonProps) {
  const [name, setName] = useState(template.name);
  const [records, setRecords] = useState(noRecords);
  const { isBusy, fault, run } = useAction(async () => {
    const platform = table.platform.id;
    const order = {
      name,
      platform,
      ...getRecordsRequest(choice),
      records: toRecords(records),
    };
    const isHere = whereNow();
    const { id } = await askPublic<{ id: string }>("links", "POST", order);
    if (isHere()) keep("button", { link: id });
  });
  return (
    <section class="card padded stack" aria-label={t("common.button")}>
      <Form onSend={run}>
        <InputField
          label={t("wizard.buttonName")}
          id="button-name"
          hint={t("wizard.shownAtTopOfPage")}
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <RecordsField
          id="button-records"
          hint={t("wizard.buttonRecordsHelp")}
          table={table}
          field={table.fields.find(({ id }) => id === choice.field)}
          none={t("wizard.recordOfItsRow")}
          choice={records}
          onChange={setRecords}
        />
        {fault !== null && (
          <ChoiceRejected
            title={t("wizard.couldntCreateButton")}
            why={fault}
            choice={choice}
          />
        )}
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t("wizard.createButton")}
          </Button>
        </div>
      </Form>
    </section>
  );
}

type MadeLink = Schemas["LinkWithUrl"];

interface ButtonMadeProps {
  table: OpenedTable;
  choice: Choice;
}

/** The link with its formulas. They contain the secret, so they are loaded each time and never stored. */
function ButtonMade({ table, choice }: ButtonMadeProps) {
  const link = useResource(choice.link, () =>
    askPublic<MadeLink>(`links/${choice.link}`),
  );
  return (
    <>
      <StepContent
        resource={link}
        what={t("wizard.couldntLoadButton")}
        fixStep="file"
        choice={choice}
      >
        {(data) =>
          data.state === "active" || data.state === "paused" ? (
            <Shown link={data} table={table} fieldId={choice.field} />
          ) : (
            <Notice tone="warn" title={t("wizard.thisButtonIsTurnedOff")}>
              <Button onPress={() => keep("button", { link: "" })}>
                {t("wizard.createAnotherOne")}
              </Button>
            </Notice>
          )
        }
      </StepContent>
      <StepActions step="button" choice={choice}>
        <Link class="button primary" to={getStepPath("try", choice)}>
          {t("templates.tryIt")}
        </Link>
      </StepActions>
    </>
  );
}

interface ShownProps {
  link: MadeLink;
  table: OpenedTable;
  /** The field that takes the files, or `nowhere`. */
  fieldId: string;
}

function Shown({ link, table, fieldId }: ShownProps) {
  const { id, title } = table.platform;
  if (link.records !== null)
    return (
      <>
        <WholeSelection link={link} table={table.name} />
        <Secret link={link} table={table.name} />
      </>
    );
  return (
    <>
      <section class="card padded stack" aria-labelledby="paste">
        <FocusedHeading id="paste">
          {t("wizard.pasteThisIntoTitle", { title })}
        </FocusedHeading>
        <HowToPaste platform={id} table={table.name} name={link.name} />
        {link.formulas.map((formula) => (
          <FormulaShown {...formula} key={formula.formula} />
        ))}
        {link.formulas.length === 0 && (
          <FormulaShown
            where={t("wizard.urlForRecords")}
            formula={`${link.url}?recordId=`}
          />
        )}
        <TableSketch table={table} fieldId={fieldId} button={link.name} />
      </section>
      <Secret link={link} table={table.name} />
    </>
  );
}

/** A button that takes many records belongs to the table, and not to each of its records. */
function WholeSelection({ link, table }: { link: MadeLink; table: string }) {
  return (
    <section class="card padded stack" aria-labelledby="paste">
      <FocusedHeading id="paste">
        {t("wizard.openThisPage", { table })}
      </FocusedHeading>
      <p class="muted">{t("wizard.openThisPageHelp")}</p>
      <FormulaShown where={t("wizard.urlOfButton")} formula={link.url} />
      {link.formulas.map((formula) => (
        <FormulaShown {...formula} key={formula.formula} />
      ))}
    </section>
  );
}

function Secret({ link, table }: { link: MadeLink; table: string }) {
  const end = async () => {
    const isHere = whereNow();
    await askPublic(`links/${link.id}`, "DELETE");
    toast(t("wizard.buttonWasTurnedOff"));
    if (isHere()) keep("button", { link: "" });
  };
  return (
    <section class="card padded stack close" aria-labelledby="secret">
      <h2 id="secret">{t("wizard.thisUrlIsSecret")}</h2>
      <p class="muted">
        {t(
          link.records === null
            ? "wizard.urlSecretHelp"
            : "wizard.urlOfManySecretHelp",
          { table },
        )}
      </p>
      <div>
        <Button
          dialog={askFirst({
            title: t("wizard.turnOffButtonQuestion"),
            text: t("wizard.turnOffWarning"),
            act: t("wizard.turnItOff"),
            onAct: end,
          })}
        >
          {t("wizard.turnOffButton")}
        </Button>
      </div>
    </section>
  );
}

interface HowToPasteProps {
  platform: string;
  table: string;
  name: string;
}

function HowToPaste(props: HowToPasteProps) {
  const How = byPlatform[props.platform] ?? Elsewhere;
  return <How {...props} />;
}

const byPlatform: Record<string, ComponentType<HowToPasteProps>> = {
  airtable: InAirtable,
  nocodb: InNocodb,
  directus: InDirectus,
  "google-sheets": InSheets,
};

function InAirtable({ table, name }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>{rich("wizard.airtableAddField", {}, { table })}</li>
      <li>{rich("wizard.giveItLabelNameAnd", {}, { name })}</li>
      <li>{rich("wizard.pasteThisAsUrlFormula", {})}</li>
    </ol>
  );
}

function InNocodb({ table }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>{rich("wizard.nocodbAddField", {}, { table })}</li>
      <li>{t("wizard.pasteTextForThatKind")}</li>
    </ol>
  );
}

function InDirectus({ table, name }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>{rich("wizard.directusAddField", {}, { table })}</li>
      <li>{rich("wizard.directusAddLink", {}, { name })}</li>
      <li>{rich("wizard.directusKey", {})}</li>
    </ol>
  );
}

function InSheets({ table }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>{t("wizard.sheetChooseCell", { table })}</li>
      <li>{t("wizard.pasteThisAndPressEnter")}</li>
      <li>{t("wizard.dragCornerOfCellDown")}</li>
    </ol>
  );
}

function Elsewhere({ table }: HowToPasteProps) {
  return <p class="muted">{t("wizard.addLinkToRecords", { table })}</p>;
}

interface FormulaShownProps {
  /** Which kind of field the formula is for. */
  where: string;
  formula: string;
}

function FormulaShown({ where, formula }: FormulaShownProps) {
  return (
    <figure class="formula-shown">
      <figcaption class="small muted">{where}</figcaption>
      <div class="formula-row">
        <code class="command secret" tabIndex={0}>
          {formula}
        </code>
        <Button
          label={t("wizard.copyWhere", { where })}
          onPress={() => copyText(formula, t("common.copied"))}
        >
          <Icon name="copy" />
          {t("common.copy")}
        </Button>
      </div>
    </figure>
  );
}
