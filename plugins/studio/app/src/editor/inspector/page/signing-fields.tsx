import type {
  Connection,
  DefinedSubmitter,
} from "../../../../../../../core/plugin-api/definition.js";
import { askPublic } from "../../../api.js";
import { useResource } from "../../../resource.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor-context.js";
import type { Editor } from "../../model/editor.js";
import { Group, NumberField, SelectField } from "../controls/fields.js";
import { TemplateRow } from "../controls/template-fields.js";
import { t } from "../../../messages/index.js";

/** The default signers and e-signature connection. */
export function SigningFields() {
  const editor = useEditor();
  const [root] = editor.definition.value.schema;
  const connection = root?.connection ?? {};
  const submitters = connection.submitters;
  if (!root) return null;
  return (
    <Group title={t("page.signatures")} isFolded={submitters === undefined}>
      <EsignField connection={connection} />
      <NumberField
        label={t("page.daysToSign")}
        value={connection.expiresInDays}
        min={1}
        placeholder={t("common.default")}
        onChange={(days) => setConnection(editor, { expiresInDays: days })}
      />
      <MessageFields connection={connection} />
      {Array.isArray(submitters) || submitters === undefined ? (
        <Submitters list={submitters ?? []} />
      ) : (
        <p class="prop-hint">
          {t("page.signersFromList", {
            collection: submitters.collection,
          })}
        </p>
      )}
    </Group>
  );
}

function EsignField({ connection }: { connection: Connection }) {
  const editor = useEditor();
  const { data } = useResource("esign", () =>
    askPublic<{ data: { id: string; name: string; kind: string }[] }>(
      "connections?pageSize=100",
    ),
  );
  const own = connection.esignConnection;
  const options = (data?.data ?? [])
    .filter(({ kind }) => kind === "esign")
    .map(({ id, name }) => [id, name] as const);
  const isKnown = options.some(([id]) => id === own);
  return (
    <SelectField
      label={t("page.service")}
      value={own}
      none={t("page.setInEachRequest")}
      options={own && !isKnown ? [...options, [own, own]] : options}
      onChange={(id) => setConnection(editor, { esignConnection: id })}
    />
  );
}

function MessageFields({ connection }: { connection: Connection }) {
  const editor = useEditor();
  const message = connection.message ?? {};
  const set = (key: "subject" | "body", text: string) => {
    const { [key]: _old, ...rest } = message;
    const next = text === "" ? rest : { ...rest, [key]: text };
    const isEmpty = Object.keys(next).length === 0;
    setConnection(editor, { message: isEmpty ? undefined : next });
  };
  return (
    <>
      <TemplateRow
        label={t("common.subject")}
        value={message.subject ?? ""}
        owner={null}
        onChange={(text) => set("subject", text)}
      />
      <TemplateRow
        label={t("common.message")}
        value={message.body ?? ""}
        owner={null}
        isMultiline
        onChange={(text) => set("body", text)}
      />
    </>
  );
}

function Submitters({ list }: { list: readonly DefinedSubmitter[] }) {
  const editor = useEditor();
  const set = (next: readonly DefinedSubmitter[]) =>
    setConnection(editor, {
      submitters: next.length === 0 ? undefined : [...next],
    });
  return (
    <>
      {list.map((one, index) => (
        <fieldset class="prop-box" key={index}>
          <legend>{t("page.signerNumber", { number: index + 1 })}</legend>
          <SubmitterFields
            one={one}
            onChange={(part) => set(list.with(index, { ...one, ...part }))}
          />
          <Button
            kind="quiet"
            onPress={() => set(list.filter((_one, at) => at !== index))}
          >
            <Icon name="close" size={14} />
            {t("common.remove")}{" "}
          </Button>
        </fieldset>
      ))}
      <Button
        onPress={() =>
          set([
            ...list,
            {
              role: t("page.signerLength", { length: list.length + 1 }),
              email: "",
            },
          ])
        }
      >
        <Icon name="plus" size={14} />
        {t("page.addSigner")}
      </Button>
    </>
  );
}

interface SubmitterFieldsProps {
  one: DefinedSubmitter;
  onChange: (part: Partial<DefinedSubmitter>) => void;
}

function SubmitterFields({ one, onChange }: SubmitterFieldsProps) {
  return (
    <>
      <TemplateRow
        label={t("common.role")}
        value={one.role}
        owner={null}
        onChange={(role) => onChange({ role })}
      />
      <TemplateRow
        label={t("common.email")}
        value={one.email}
        owner={null}
        onChange={(email) => onChange({ email })}
      />
      <TemplateRow
        label={t("common.name")}
        value={one.name ?? ""}
        owner={null}
        onChange={(name) => onChange({ name: name || undefined })}
      />
    </>
  );
}

/** Changes the record's connection settings; undefined removes a property. */
function setConnection(editor: Editor, change: Partial<Connection>): void {
  const [key = ""] = Object.keys(change);
  editor.change(
    t("page.changeSignatures"),
    (draft) => {
      const [root] = draft.schema;
      if (!root) return;
      const merged = Object.entries({ ...root.connection, ...change });
      const set = merged.filter(([, value]) => value !== undefined);
      if (set.length === 0) delete root.connection;
      else root.connection = Object.fromEntries(set);
    },
    `connection.${key}`,
  );
}
