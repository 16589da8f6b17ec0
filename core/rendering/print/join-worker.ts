import { answerRequests } from "../../lib/threads.js";
import { joinPieces } from "./join-pages.js";

// Joins the pieces of a long document, so that the service keeps responding.
answerRequests(joinPieces);
