import type { OpenedTable } from "../../../../../core/plugin-api/app-wizard.js";

interface ButtonPictureProps {
  table: OpenedTable;
  name: string;
}

/** How the table looks with its button; a picture, and so nothing to be read aloud. */
export function ButtonPicture({ table, name }: ButtonPictureProps) {
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
