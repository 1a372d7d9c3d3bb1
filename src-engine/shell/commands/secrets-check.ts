/** `secrets check`: whether values can be read, and whether the library's workflows find what they name. */

import type { SecretUser } from '../../protocol/secrets.ts'
import type { Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'

/** Exit code 1 when anything is wrong. */
export async function checkSecrets(context: CommandContext, session: Session): Promise<ExitCode> {
  const { vault, checks } = await session.call('secrets.check', {})
  const { secrets } = await session.call('secrets.list', {})
  const { users } = await session.call('secrets.users', {})
  const names = new Set(secrets.map(({ name }) => name))
  const missing = users.filter(({ name }) => !names.has(name))
  const broken = checks.filter(({ problem }) => problem !== null)
  const isWell = vault.problem === null && broken.length === 0 && missing.length === 0
  const { json, emit, terminal } = context
  if (json) {
    emit({ type: 'vault', ...vault })
    for (const check of checks) emit({ type: 'secret-check', ...check })
    for (const user of missing) emit({ type: 'secret-missing', ...user })
    return isWell ? 0 : 1
  }
  const { red, green } = terminal.colors
  if (vault.problem !== null) terminal.line(`${red('vault')}  ${vault.problem.message} ${vault.problem.hint}`)
  for (const { name, problem } of checks) {
    if (problem === null) terminal.line(`${green('well')}   ${name}`)
    else terminal.line(`${red('broken')} ${name}: ${problem.message} ${problem.hint}`)
  }
  for (const user of missing) terminal.line(`${red('missing')} ${missingText(user)}`)
  if (isWell && checks.length === 0) terminal.line('The vault is empty, and no workflow names a secret.')
  return isWell ? 0 : 1
}

const missingText = ({ name, title, nodeId }: SecretUser): string =>
  `${name}: the step “${nodeId}” of “${title}” names it`
