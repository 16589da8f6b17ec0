import { useState } from "preact/hooks";
import type { DataCollection } from "../../../../core/plugin-api/definition.js";
import { askPublic, type Schemas } from "../../api.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";
import { askListPage, useResource } from "../../resource.js";
import { Link } from "../../router.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Badge } from "../../ui/list.js";
import { LoadStatus } from "../../ui/loading.js";
import { Empty } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import {
  type Connection,
  translateSettings,
} from "../connections/connection-settings.js";
import {
  DeliveryDialog,
  type FieldOption,
  type Receiver,
  serviceMail,
  testSetting,
} from "./delivery-dialog.js";
import type { Template, DeliveryEntry } from "./templates.js";

type Method = Schemas["DeliveryMethod"];

type TemplateItem = Pick<Template, "id" | "name" | "templateType">;

async function loadEmailTemplates(): Promise<TemplateItem[]> {
  const templates: TemplateItem[] = [];
  for (let page = 1, isComplete = false; !isComplete; page += 1) {
    const at = `templates?page=${page}&pageSize=100`;
    const { data, total } = await askListPage<TemplateItem>(at);
    templates.push(...data);
    isComplete = data.length === 0 || templates.length >= total;
  }
  return templates.filter(({ templateType }) => templateType === "email");
}

async function loadChoices() {
  const [methods, connections, emailTemplates] = await Promise.all([
    askPublic<{ data: Method[] }>("delivery-methods"),
    askPublic<{ data: Connection[] }>("connections?pageSize=100"),
    loadEmailTemplates(),
  ]);
  const toReceivers = (
    id: string,
    name: string,
    plugin: string | null,
  ): Receiver[] => {
    const method = methods.data.find((candidate) => candidate.id === plugin);
    if (!method?.target) return [];
    const takesMessage = method.capabilities?.message === true;
    return [
      { id, name, takesMessage, target: translateSettings(method.target) },
    ];
  };
  const receivers = [
    ...connections.data
      .filter(({ kind }) => kind === "delivery")
      .flatMap(({ id, name, delivery }) => toReceivers(id, name, delivery)),
    ...toReceivers(serviceMail, t("deliveries.serviceMail"), serviceMail),
  ];
  return { receivers, emailTemplates };
}

interface TemplateDeliveriesProps {
  template: Template;
  onChange: () => unknown;
}

/** Where a template's documents go unless a batch, a link or an automation says otherwise. */
export function TemplateDeliveries(props: TemplateDeliveriesProps) {
  const { template, onChange } = props;
  const choices = useResource("choices", loadChoices);
  const [edited, setEdited] = useState<number | null>(null);
  const entries = template.deliver ?? [];
  const save = async (changed: readonly DeliveryEntry[]) => {
    await askPublic(`templates/${template.id}`, "PATCH", {
      deliver: changed.length > 0 ? changed : null,
    });
    await onChange();
    toast(t("deliveries.saved"));
  };
  const { data } = choices;
  return (
    <section class="stack" aria-label={t("deliveries.delivery")}>
      <p class="muted">{t("deliveries.templateLead")}</p>
      <LoadStatus
        resource={choices}
        what={t("connections.couldntLoadConnections")}
        count={1}
      />
      {data && entries.length === 0 && (
        <Empty icon="webhooks" title={t("deliveries.none")}>
          <p>{t("deliveries.noneHelp")}</p>
        </Empty>
      )}
      {data && entries.length > 0 && (
        <ol class="card lines">
          {entries.map((entry, index) => (
            <EntryLine
              key={index}
              entry={entry}
              receivers={data.receivers}
              onEdit={() => setEdited(index)}
              onRemove={() => save(entries.filter((other) => other !== entry))}
            />
          ))}
        </ol>
      )}
      {data && may("editor") && (
        <div class="row">
          <Button onPress={() => setEdited(entries.length)}>
            <Icon name="plus" />
            {t("deliveries.add")}
          </Button>
          <span class="muted small">
            {rich("deliveries.connectionsHelp", {
              link: (text) => <Link to="connections">{text}</Link>,
            })}
          </span>
        </div>
      )}
      {data && edited !== null && (
        <DeliveryDialog
          {...data}
          entry={entries[edited] ?? {}}
          isNew={edited >= entries.length}
          template={template}
          fields={listFields(template.definition.schema ?? [])}
          onSave={(entry) => {
            const changed = [...entries];
            changed[edited] = entry;
            return save(changed);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}

interface EntryLineProps {
  entry: DeliveryEntry;
  receivers: readonly Receiver[];
  onEdit: () => void;
  onRemove: () => Promise<void>;
}

function EntryLine({ entry, receivers, onEdit, onRemove }: EntryLineProps) {
  const { connection = serviceMail, ...rest } = entry;
  const receiver = receivers.find(({ id }) => id === connection);
  const name = receiver?.name ?? t("deliveries.unknownConnection");
  const place = Object.keys(receiver?.target.properties ?? {})
    .map((property) => rest[property])
    .find((value) => typeof value === "string" && value !== "");
  return (
    <li class="line">
      <div class="words">
        <div class="row">
          <strong>{name}</strong>
          {testSetting in rest && (
            <Badge tone="warn">{t("deliveries.testMode")}</Badge>
          )}
        </div>
        {typeof place === "string" && <code class="small">{place}</code>}
      </div>
      {may("editor") && (
        <div class="row">
          {receiver && (
            <Button
              label={t("deliveries.editName", { name })}
              onPress={async () => onEdit()}
            >
              {t("common.edit")}
            </Button>
          )}
          <Button
            label={t("deliveries.removeName", { name })}
            onPress={onRemove}
          >
            {t("common.remove")}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The single values of a record: its own, and those of records that it links to. */
function listFields(schema: readonly DataCollection[]): FieldOption[] {
  const list = (id: string, path: string, depth: number): FieldOption[] =>
    (schema.find((collection) => collection.id === id)?.fields ?? []).flatMap(
      (field) => {
        const fieldPath = `${path}.${field.name}`;
        if (field.type === "OneToManyLink") return [];
        if (field.type === "OneToOneLink")
          return depth > 0 ? list(field.target, fieldPath, depth - 1) : [];
        return [{ path: fieldPath, words: fieldPath.replace(/^root\./, "") }];
      },
    );
  return list("root", "root", 1);
}
