import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../core/plugin-api/app-wizard.js";
import { askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { whereNow, Link } from "../router.js";
import { Button } from "../ui/button.js";
import { AskFirst } from "../ui/dialog.js";
import { useAction, Form } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { Loaded, Misfit, StepEnd, FocusedHeading } from "./components.js";
import { type Choice, keep, addressOf } from "./steps.js";
import { recordsOrder, readTable } from "./table.js";

interface Opened {
  table: OpenedTable;
  template: { name: string };
}

async function open(choice: Choice): Promise<Opened> {
  const [table, template] = await Promise.all([
    readTable(choice),
    askPublic<{ name: string }>(`templates/${choice.template}`),
  ]);
  return { table, template };
}

/** Makes the link, and shows what to paste where. */
export function ButtonStep({ choice }: { choice: Choice }) {
  const key = `${choice.table} ${choice.template}`;
  const opened = useResource(key, () => open(choice));
  const isMade = choice.link !== "";
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={opened}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {(data) =>
          isMade ? (
            <ButtonMade table={data.table} choice={choice} key={choice.link} />
          ) : (
            <NewButton {...data} choice={choice} />
          )
        }
      </Loaded>
      {!(isMade && opened.data) && <StepEnd step="button" choice={choice} />}
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
    const order = { name, platform, ...recordsOrder(choice) };
    const isHere = whereNow();
    const { id } = await askPublic<{ id: string }>("links", "POST", order);
    if (isHere()) keep("button", { link: id });
  });
  return (
    <section class="card padded stack" aria-label="The button">
      <Form onSend={run}>
        <NameField name={name} onInput={setName} />
        {fault !== null && (
          <Misfit
            title="The button could not be made"
            why={fault}
            choice={choice}
          />
        )}
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Make the button
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface NameFieldProps {
  name: string;
  onInput: (name: string) => void;
}

function NameField({ name, onInput }: NameFieldProps) {
  return (
    <div class="field">
      <label for="button-name">What the button is called</label>
      <input
        id="button-name"
        class="input"
        required
        maxLength={200}
        aria-describedby="button-name-hint"
        value={name}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <span class="hint" id="button-name-hint">
        Whoever presses it reads this above the page that opens.
      </span>
    </div>
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

/** The link with its formulas; what they hold is read anew each time and kept nowhere. */
function ButtonMade({ table, choice }: ButtonMadeProps) {
  const link = useResource(choice.link, () =>
    askPublic<MadeLink>(`links/${choice.link}`),
  );
  return (
    <>
      <Loaded
        resource={link}
        what="The button could not be read"
        mend="file"
        choice={choice}
      >
        {(data) =>
          data.state === "active" ? (
            <Shown link={data} table={table} />
          ) : (
            <IsOff />
          )
        }
      </Loaded>
      <StepEnd step="button" choice={choice}>
        <Link class="button primary" to={addressOf("try", choice)}>
          Try it
        </Link>
      </StepEnd>
    </>
  );
}

function IsOff() {
  return (
    <Notice tone="warn" title="This button is switched off">
      <Button onPress={() => keep("button", { link: "" })}>
        Make another one
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

/** Where the secret stands, and what it may do. */
function Secret({ link, table }: { link: MadeLink; table: string }) {
  const [isAsking, setAsking] = useState(false);
  const end = async () => {
    const isHere = whereNow();
    await askPublic(`links/${link.id}`, "DELETE");
    toast("The button was switched off.");
    if (isHere()) keep("button", { link: "" });
  };
  return (
    <section class="card padded stack close" aria-labelledby="secret">
      <h2 id="secret">This address is a key</h2>
      <p class="muted">
        Whoever has it can make this one document of records of “{table}”, and
        nothing else. So share it only with people who may see the table. It
        stands in the formula, and nowhere else.
      </p>
      <div>
        <Button onPress={() => setAsking(true)}>Switch the button off</Button>
      </div>
      {isAsking && (
        <AskFirst
          title="Switch the button off?"
          act="Switch it off"
          onAct={end}
          onClose={() => setAsking(false)}
        >
          <p>
            Nobody can make documents with it any more. To have a button again,
            you make another one and paste its formula.
          </p>
        </AskFirst>
      )}
    </section>
  );
}

interface HowToPasteProps {
  platform: string;
  table: string;
  name: string;
}

/** Where to click on the platform. */
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
  /** Into which kind of field. */
  where: string;
  formula: string;
}

/** A text to be copied. */
function FormulaShown({ where, formula }: FormulaShownProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(formula);
    toast("Copied.");
  };
  return (
    <figure class="formula-shown">
      <figcaption class="small muted">{where}</figcaption>
      <div class="formula-row">
        <code class="command secret" tabIndex={0}>
          {formula}
        </code>
        <Button label={`Copy: ${where}`} onPress={copy}>
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

/** How the table looks with its button; a picture, and so nothing to be read aloud. */
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
