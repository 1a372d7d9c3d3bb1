/** What is wrong with a field, said right below it. Pure. */

/** Who has the field: `“Ask the shop”: …`, `“HTTP request” (ask): …`, `What undoes “Ask”: …`, `The trigger “Nightly”: …`. */
const owner = /^(?:What undoes |The trigger )?“[^”]*”(?: \([^()]*\))?: /

/** The message without whom it is about: below the field of a form that is the form's own title. */
export function inPlace(message: string): string {
  const said = message.replace(owner, '')
  return said === message ? message : said.charAt(0).toUpperCase() + said.slice(1)
}
