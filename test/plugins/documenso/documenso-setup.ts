import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { FakeDocumenso } from "../../support/fakes/documenso/fake-documenso.js";
import { useProvider } from "../use-provider.js";

export const useDocumenso = () =>
  useProvider(documensoPlugin, () => FakeDocumenso.start());
