// The bundler reads these files as texts.
declare module '*.cpz' {
  const text: string;
  export default text;
}
