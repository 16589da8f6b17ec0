import type { ComponentType } from "preact";

interface HowToPasteProps {
  platform: string;
  table: string;
  name: string;
}

/** Where to click on the platform. */
export function HowToPaste(props: HowToPasteProps) {
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
