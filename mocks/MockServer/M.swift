public enum M {}
