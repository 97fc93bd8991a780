"""Programs of the field as players, and plyground as one of them: UCI, XBoard, GTP, Gomocup and others."""
