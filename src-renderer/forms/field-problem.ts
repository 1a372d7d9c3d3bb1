/** What is wrong with a field, said right below it. Pure. */

/** Who has the field: `“Ask the shop”: …`, `“HTTP request” (ask): …`, `What undoes “Ask”: …`, `The trigger “Nightly”: …`. */
const owner = /^(?:What undoes |The trigger )?“[^”]*”(?: \([^()]*\))?: /

/** One step's own: what undoes it, or a trigger, has to be named. */
const ownStep = /^“([^”]*)”( \([^()]*\))?: /

/** The message in a list that names the step in front of each: the name is said once, with the id where it needs one. */
export function inList(message: string, title: string): { readonly where: string; readonly what: string } {
  const [, name, id = ''] = ownStep.exec(message) ?? []
  return name === undefined ? { where: title, what: message } : { where: name + id, what: inPlace(message) }
}

/** The message without whom it is about: below the field of a form that is the form's own title. */
export function inPlace(message: string): string {
  const said = message.replace(owner, '')
  return said === message ? message : said.charAt(0).toUpperCase() + said.slice(1)
}
