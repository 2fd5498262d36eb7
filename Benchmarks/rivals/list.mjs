// Groups posts by author, newest first, as `blog list --group author --sort date` does in a pipe.
import { readFileSync } from "node:fs";

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const posts = JSON.parse(readFileSync(0, "utf8"));
posts.sort((one, other) => compare(one.author.name, other.author.name) || compare(other.publishDate, one.publishDate));
const rows = posts.map((post) => [post.author.name, post.id, post.publishDate, post.title, post.summary].join("\t"));
process.stdout.write(rows.join("\n") + "\n");
