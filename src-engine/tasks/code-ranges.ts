/** Lists of codes as people write them: `200-299, 404`. */

/** Whether a code is in the list. An empty list has none; parts that aren't codes are ignored. */
export function isCodeIn(list: string, code: number): boolean {
  return list.split(',').some((part) => {
    const [from = '', to] = part.split('-').map((text) => text.trim())
    if (from === '') return false
    return code >= Number(from) && code <= Number(to ?? from)
  })
}
