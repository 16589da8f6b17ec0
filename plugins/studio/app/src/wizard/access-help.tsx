import type { ComponentChildren } from "preact";

const helps: Record<string, ComponentChildren> = {
  airtable: (
    <ol class="how">
      <li>
        Open{" "}
        <a
          href="https://airtable.com/create/tokens"
          target="_blank"
          rel="noreferrer"
        >
          airtable.com/create/tokens
        </a>{" "}
        and press <b>Create new token</b>.
      </li>
      <li>
        Add the scopes <code>data.records:read</code>,{" "}
        <code>data.records:write</code> and <code>schema.bases:read</code>.
      </li>
      <li>
        Under <b>Access</b>, add the base that holds your records.
      </li>
      <li>Copy the token, and paste it here.</li>
    </ol>
  ),
  nocodb: (
    <ol class="how">
      <li>
        In NocoDB, press your picture, then <b>Account settings</b> and{" "}
        <b>Tokens</b>.
      </li>
      <li>
        Press <b>Add new API token</b>, and paste it here. It sees what you see.
      </li>
    </ol>
  ),
  "google-sheets": (
    <ol class="how">
      <li>
        Share the spreadsheet with the service account, or with the user who
        gives consent, as an editor.
      </li>
      <li>
        The first row has to name the columns, and a column <b>ID</b> has to
        hold another key in each row.
      </li>
    </ol>
  ),
  sql: (
    <p class="small muted">
      Use a database user of its own, which may do no more than read the tables
      and write into the columns that take files.
    </p>
  ),
};

/** Where to click on the platform, for those who have never done it. */
export function AccessHelp({ platform }: { platform: string }) {
  return helps[platform] ?? null;
}
