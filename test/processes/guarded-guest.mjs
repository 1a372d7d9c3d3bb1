// What a guarded process may not do; says how each try ended.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const codeOf = (attempt) => {
  try {
    attempt()
    return 'allowed'
  } catch (error) {
    return error.code
  }
}

const file = codeOf(() => readFileSync('/etc/hostname'))
const program = codeOf(() => spawnSync('true'))
process.stdout.write(`${JSON.stringify({ file, program, env: Object.keys(process.env) })}\n`)
