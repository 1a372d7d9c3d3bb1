/** The words of pasting a curl command. */

export const curlWords = {
  title: 'Paste a curl command',
  add: 'Add the request',
  fill: 'Fill in the request',
  leftTitle: 'Not taken over',
  secretsTitle: 'What proves who you are',
  keep: (title: string): string => `Keep “${title}” in the vault as`,
  nameOf: (title: string): string => `Name of “${title}” in the vault`,
  plain: 'It will stand in the workflow in plain text: everybody who gets the file can read it.',
  noVault: 'There is no vault that could keep it.',
  nameTaken: 'There is a secret of this name already.',
  nameWrong: 'A name has letters, digits and underscores.',
  bound: (host: string): string => `Only HTTP requests to ${host} get it.`,
  pasted: 'Filled in from the curl command.',
  token: 'Bearer token',
  password: 'Password',
  option: (name: string): string => `the option ${name}`,
  variable: (name: string): string => `the value of ${name}: it stands there as it was written`,
  rest: (text: string): string => `what comes after the command: ${text}`,
  method: (name: string): string => `the method ${name}`,
  bodyOfGet: (method: string): string => `the body: a ${method} request is sent without one`,
  keyInAddress: (name: string): string =>
    `the secret “${name}” in the address: it stands there in plain text, beside another way to sign in`,
  moreAddresses: 'all addresses but the first',
  fileOf: (option: string): string => `the file that ${option} names`,
}
