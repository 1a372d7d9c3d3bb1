/** Check digits: what tells a card's or an account's number from any other. */

/** Luhn's check digit: nearly every mistyped or random number fails it. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Whether digits are a card's number. */
export function isCard(match: string): boolean {
  const digits = match.replace(/\D/g, '')
  // Cards begin with 2 to 6, and never are one digit again and again.
  return /^[2-6]/.test(digits) && !/^(\d)\1+$/.test(digits) && passesLuhn(digits)
}

/** Whether a number of that form was ever given out. */
export function isSocialSecurity(match: string): boolean {
  const [area = '', group = '', serial = ''] = match.split('-')
  return area !== '000' && area !== '666' && !area.startsWith('9') && group !== '00' && serial !== '0000'
}

/** Whether the check digits of an account number are right. */
export function isIban(match: string): boolean {
  const text = match.replace(/ /g, '')
  const moved = `${text.slice(4)}${text.slice(0, 4)}`
  let rest = 0
  for (const char of moved) rest = Number(`${rest}${Number.parseInt(char, 36)}`) % 97
  return rest === 1
}
