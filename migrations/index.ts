import { Accounts } from "./0001-accounts.js";
import { Templates } from "./0002-templates.js";
import { Documents } from "./0003-documents.js";
import { Libraries } from "./0004-libraries.js";
import { Queue } from "./0005-queue.js";
import { Batches } from "./0006-batches.js";
import { Webhooks } from "./0007-webhooks.js";
import { Admission } from "./0008-admission.js";
import { AssetTypes } from "./0009-asset-types.js";
import { Platforms } from "./0010-platforms.js";
import { Links } from "./0011-links.js";
import { AssetLibrary } from "./0012-asset-library.js";
import { Signatures } from "./0013-signatures.js";
import { Sessions } from "./0014-sessions.js";
import { Drafts } from "./0015-drafts.js";
import { DataChecks } from "./0016-data-checks.js";
import { WriteBackQueue } from "./0017-write-back-queue.js";
import { Oauth } from "./0019-oauth.js";
import { PluginFailures } from "./0020-plugin-failures.js";
import { PausedLinks } from "./0021-paused-links.js";
import { LinkRecords } from "./0022-link-records.js";
import { ConnectionAuthorizations } from "./0024-connection-authorizations.js";
import { Brand } from "./0025-brand.js";
import { DocumentSearch } from "./0027-document-search.js";
import { Deliveries } from "./0028-deliveries.js";
import { BatchMerges } from "./0029-batch-merge.js";
import { Automations } from "./0030-automations.js";
import { FileSource } from "./0031-file-source.js";
import { ChangeSubscriptions } from "./0032-change-subscriptions.js";
import { InlineTemplates } from "./0034-inline-templates.js";
import { NumberSequences } from "./0035-number-sequences.js";
import { SigningCertificates } from "./0036-signing-certificates.js";
import { DocumentTexts } from "./0037-document-texts.js";
import { ListCounts } from "./0038-list-counts.js";
import { DocumentFilters } from "./0039-document-filters.js";
import { PluginProcesses } from "./0040-plugin-processes.js";

/** All migrations, in the order in which they run. */
export const migrations = [
  Accounts,
  Templates,
  Documents,
  Libraries,
  Queue,
  Batches,
  Webhooks,
  Admission,
  AssetTypes,
  Platforms,
  Links,
  AssetLibrary,
  Signatures,
  Sessions,
  Drafts,
  DataChecks,
  WriteBackQueue,
  Oauth,
  PluginFailures,
  PausedLinks,
  LinkRecords,
  ConnectionAuthorizations,
  Brand,
  DocumentSearch,
  Deliveries,
  BatchMerges,
  Automations,
  FileSource,
  ChangeSubscriptions,
  InlineTemplates,
  NumberSequences,
  SigningCertificates,
  DocumentTexts,
  ListCounts,
  DocumentFilters,
  PluginProcesses,
];
