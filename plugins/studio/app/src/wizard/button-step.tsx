import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../core/plugin-api/app-plugin.js";
import { askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { Link, whereNow } from "../router.js";
import { Button } from "../ui/button.js";
import { ConfirmDialog, copyText } from "../ui/dialog.js";
import { Form, InputField, useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import {
  FocusedHeading,
  StepContent,
  ChoiceRejected,
  StepActions,
} from "./components.js";
import { getStepPath, type Choice, keep } from "./steps.js";
import { loadTable, getRecordsRequest } from "./table.js";

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
        what="Couldn't load the table"
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
  const { isBusy, fault, run } = useAction(async () => {
    const platform = table.platform.id;
    const order = { name, platform, ...getRecordsRequest(choice) };
    const isHere = whereNow();
    const { id } = await askPublic<{ id: string }>("links", "POST", order);
    if (isHere()) keep("button", { link: id });
  });
  return (
    <section class="card padded stack" aria-label="The button">
      <Form onSend={run}>
        <InputField
          label="Button name"
          id="button-name"
          hint="Shown at the top of the page that the button opens."
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
        {fault !== null && (
          <ChoiceRejected
            title="Couldn't create the button"
            why={fault}
            choice={choice}
          />
        )}
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Create button
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface MadeLink {
  id: string;
  name: string;
  state: "active" | "expired" | "revoked";
  url: string;
  formulas: { where: string; formula: string }[];
}

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
        what="Couldn't load the button"
        fixStep="file"
        choice={choice}
      >
        {(data) =>
          data.state === "active" ? (
            <Shown link={data} table={table} />
          ) : (
            <IsOff />
          )
        }
      </StepContent>
      <StepActions step="button" choice={choice}>
        <Link class="button primary" to={getStepPath("try", choice)}>
          Try it
        </Link>
      </StepActions>
    </>
  );
}

function IsOff() {
  return (
    <Notice tone="warn" title="This button is turned off">
      <Button onPress={() => keep("button", { link: "" })}>
        Create another one
      </Button>
    </Notice>
  );
}

function Shown({ link, table }: { link: MadeLink; table: OpenedTable }) {
  const { id, title } = table.platform;
  return (
    <>
      <section class="card padded stack" aria-labelledby="paste">
        <FocusedHeading id="paste">Paste this into {title}</FocusedHeading>
        <HowToPaste platform={id} table={table.name} name={link.name} />
        {link.formulas.map((one) => (
          <FormulaShown {...one} key={one.formula} />
        ))}
        {link.formulas.length === 0 && (
          <FormulaShown
            where="The address for a record: put the record’s id at its end"
            formula={`${link.url}?recordId=`}
          />
        )}
        <ButtonPicture table={table} name={link.name} />
      </section>
      <Secret link={link} table={table.name} />
    </>
  );
}

function Secret({ link, table }: { link: MadeLink; table: string }) {
  const [isAsking, setAsking] = useState(false);
  const end = async () => {
    const isHere = whereNow();
    await askPublic(`links/${link.id}`, "DELETE");
    toast("The button was turned off.");
    if (isHere()) keep("button", { link: "" });
  };
  return (
    <section class="card padded stack close" aria-labelledby="secret">
      <h2 id="secret">This URL is a secret</h2>
      <p class="muted">
        Anyone who has it can create this document from records of “{table}”,
        and nothing else. Share it only with people who may see the table. It is
        stored only in the formula.
      </p>
      <div>
        <Button onPress={() => setAsking(true)}>Turn off the button</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Turn off the button?"
          act="Turn it off"
          onAct={end}
          onClose={() => setAsking(false)}
        >
          <p>
            Nobody can create documents with it anymore. To get a button again,
            create another one and paste its formula.
          </p>
        </ConfirmDialog>
      )}
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
  "google-sheets": InSheets,
};

function InAirtable({ table, name }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>
        In the table “{table}”, press <b>+</b> after the last field and choose{" "}
        <b>Button</b>.
      </li>
      <li>
        Give it the label “{name}”, and choose the action <b>Open URL</b>.
      </li>
      <li>
        Paste this as the <b>URL formula</b>, and press <b>Create field</b>.
      </li>
    </ol>
  );
}

function InNocodb({ table }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>
        In the table “{table}”, press <b>+</b> after the last field and choose{" "}
        <b>Button</b>, with the action <b>Open URL</b>. (In older versions:{" "}
        <b>Formula</b>.)
      </li>
      <li>Paste the text for that kind of field, and save it.</li>
    </ol>
  );
}

function InSheets({ table }: HowToPasteProps) {
  return (
    <ol class="how">
      <li>
        In the sheet “{table}”, press a free cell in row 2. Column A has to hold
        the record’s key; else put its letter in place of A2.
      </li>
      <li>Paste this, and press Enter.</li>
      <li>Drag the corner of the cell down to the last row.</li>
    </ol>
  );
}

function Elsewhere({ table }: HowToPasteProps) {
  return (
    <p class="muted">
      Put this address wherever you can show a link beside a record of “{table}
      ”, and add the record’s id at its end.
    </p>
  );
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
          label={`Copy: ${where}`}
          onPress={() => copyText(formula, "Copied.")}
        >
          <Icon name="copy" />
          Copy
        </Button>
      </div>
    </figure>
  );
}

interface ButtonPictureProps {
  table: OpenedTable;
  name: string;
}

/** A sketch of the table with its button, hidden from screen readers. */
function ButtonPicture({ table, name }: ButtonPictureProps) {
  const primary = table.fields.find(({ id }) => id === table.primaryFieldId);
  const file = table.fields.find(({ id }) => table.fileFieldIds.includes(id));
  const columns = [
    primary?.name ?? table.fields[0]?.name ?? "Name",
    file?.name ?? "…",
  ];
  return (
    <figure class="button-picture" aria-hidden="true">
      <div class="table-sketch">
        <span class="cell head">{columns[0]}</span>
        <span class="cell head">{columns[1]}</span>
        <span class="cell head">Button</span>
        {[1, 2].map((row) => (
          <SheetRow row={row} name={name} key={row} />
        ))}
      </div>
    </figure>
  );
}

function SheetRow({ row, name }: { row: number; name: string }) {
  return (
    <>
      <span class="cell">
        <span class={`ink ${row === 1 ? "" : "short"}`} />
      </span>
      <span class="cell">{row === 1 && <span class="file-ink">PDF</span>}</span>
      <span class="cell">
        <span class="press">{name}</span>
      </span>
    </>
  );
}
