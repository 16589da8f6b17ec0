import { testRecordedRequests } from "../support/recorded-requests.js";

testRecordedRequests(new URL("recorded/", import.meta.url));
