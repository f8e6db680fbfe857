export async function hostTests() {}
